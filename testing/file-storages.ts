import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Config } from '#server/config/config.ts'
import { S3Server } from './servers/s3-server.ts'

/** A place where servers store files, accessed directly: file tests run once for each place. */
export interface FileStorage {
  /** Settings of a server that stores its files here. */
  config: Pick<Config, 's3'> & Partial<Pick<Config, 'dataDir'>>
  /** The IDs of the files of all databases, sorted; incomplete ones end with `.part`. */
  stored(): string[]
  /** All files as `<database id>/<id>`, sorted. */
  paths(): string[]
  /** Creates an incomplete file, as after the server was killed during an upload. */
  plantHalf(id: string, databaseId: string): void
  /** Moves all files to the layout of versions without database IDs. */
  flatten(): void
  /** Deletes the bytes of a file. */
  lose(id: string): void
  goAway(): Promise<void>
  comeBack(): Promise<void>
  close(): Promise<void>
}

export const fileStorageKinds = ['disk', 'S3'] as const

export const newFileStorage = (kind: (typeof fileStorageKinds)[number]): Promise<FileStorage> =>
  kind === 'disk' ? newDiskStorage() : newS3Storage()

const current = /^[0-9a-f-]{36}\/[^/]+$/

/** IDs from paths such as `<database id>/<id>`, without files of the previous layout and files set aside. */
const idsOf = (paths: readonly string[]): string[] =>
  paths
    .filter((path) => current.test(path))
    .map((path) => basename(path))
    .toSorted()

async function newDiskStorage(): Promise<FileStorage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'signet-files-'))
  const folder = join(dataDir, 'files')
  const away = join(dataDir, 'away')
  const paths = (): string[] => {
    if (!existsSync(folder)) return []
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .toSorted()
  }
  return {
    config: { dataDir },
    stored: () => idsOf(paths()),
    paths,
    plantHalf(id, databaseId) {
      const path = join(folder, databaseId, `${id}.part`)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, 'half')
    },
    flatten() {
      for (const path of paths()) renameSync(join(folder, path), join(folder, basename(path)))
    },
    lose(id) {
      for (const path of paths()) if (basename(path) === id) rmSync(join(folder, path))
    },
    async goAway() {
      if (existsSync(folder)) renameSync(folder, away)
      writeFileSync(folder, 'not a folder')
    },
    async comeBack() {
      rmSync(folder)
      if (existsSync(away)) renameSync(away, folder)
    },
    close: async () => rmSync(dataDir, { recursive: true, force: true }),
  }
}

async function newS3Storage(): Promise<FileStorage> {
  const server = await S3Server.start()
  const { prefix } = server.settings
  const paths = () =>
    [...server.keys(), ...server.uploads().map(({ key }) => `${key}.part`)]
      .map((key) => key.slice(prefix.length))
      .toSorted()
  return {
    config: { s3: server.settings },
    stored: () => idsOf(paths()),
    paths,
    plantHalf: (id, databaseId) => server.plantUpload(`${prefix}${databaseId}/${id}`),
    flatten() {
      for (const key of server.keys()) server.rename(key, prefix + basename(key))
    },
    lose(id) {
      for (const key of server.keys()) if (basename(key) === id) server.removeObject(key)
    },
    goAway: () => server.stop(),
    comeBack: () => server.startAgain(),
    close: () => server.close(),
  }
}
