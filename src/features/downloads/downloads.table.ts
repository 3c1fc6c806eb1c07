import type { Generated } from 'kysely'

export interface DownloadsTable {
  /** ID in the public link and in the store. */
  id: string
  app_id: string
  owner_id: string
  /** Chosen by the owner; unique in the app. */
  name: string
  description: string
  /** Name of the uploaded file, under which it is saved. */
  file_name: string
  /** Bytes; during the upload, the reservation. */
  size: number
  /** Hexadecimal. */
  sha256: string
  /** Only signed-in programs may download it. */
  authenticated: number
  active: number
  /** 0 during the upload. */
  ready: number
  /** Epoch seconds until a scanner has found it clean: not available before. */
  unscanned_since: Generated<number | null>
  /** Epoch seconds until the owner completes the upload: not available before. */
  incomplete_since: Generated<number | null>
  created_at: number
  download_count: number
  authenticated_count: number
}

/** A download of which every byte was sent; after 90 days, only the counts of the file remain. */
export interface DownloadEventsTable {
  id: Generated<number>
  app_id: string
  download_id: string
  at: number
  ip: string
  country: string
  authenticated: number
}

/** Files with a deleted row whose bytes may still exist; filled by a trigger on `downloads`. */
export interface DeletedFilesTable {
  id: string
}

/** The parts of a file an address has received so far, until it is complete. */
export interface DownloadProgressTable {
  app_id: string
  download_id: string
  ip: string
  /** Format of `sent-ranges.ts`. */
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
