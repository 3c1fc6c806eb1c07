import type { Generated } from 'kysely'

export interface DownloadsTable {
  /** Names the file in the public link and in the store. */
  id: string
  app_id: string
  owner_id: string
  /** Of the owner's choosing; unique in the app. */
  name: string
  description: string
  /** As it was uploaded, and is saved under. */
  file_name: string
  /** Bytes; while it is uploaded, what is reserved for it. */
  size: number
  /** Hexadecimal. */
  sha256: string
  /** Only programs that are signed in get it. */
  authenticated: number
  active: number
  /** 0 while it is uploaded. */
  ready: number
  /** Epoch seconds, while a scanner has not found it clean: nobody gets it (R-UP-06). */
  unscanned_since: Generated<number | null>
  /** Epoch seconds, while the owner has not completed the upload: nobody gets it. */
  incomplete_since: Generated<number | null>
  created_at: number
  download_count: number
  authenticated_count: number
}

/** One whose every byte was sent; after 90 days only the counts of the file are left (R-UP-08). */
export interface DownloadEventsTable {
  id: Generated<number>
  app_id: string
  download_id: string
  at: number
  ip: string
  country: string
  authenticated: number
}

/** Files whose row was deleted and whose bytes may still be there; a trigger on `downloads` fills it. */
export interface DeletedFilesTable {
  id: string
}

/** What an address has got of a file that it has not got completely. */
export interface DownloadProgressTable {
  app_id: string
  download_id: string
  ip: string
  /** As `sent-ranges.ts` writes it. */
  sent: string
  /** Epoch seconds. */
  at: number
}

declare module '#database/schema.ts' {
  interface Schema {
    downloads: DownloadsTable
    download_events: DownloadEventsTable
    deleted_files: DeletedFilesTable
    download_progress: DownloadProgressTable
  }
}
