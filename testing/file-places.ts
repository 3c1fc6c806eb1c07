import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Config } from '#server/config.ts'
import { S3Server } from './servers/s3-server.ts'

/** Where servers have their files, seen from outside: each test of files runs once for each. */
export interface FilePlace {
  /** Settings of a server whose files are here. */
  config: Pick<Config, 's3'> & Partial<Pick<Config, 'dataDir'>>
  /** The ids of every database's files, in order; what is half received with `.part` behind it. */
  stored(): string[]
  /** Everything, in order, as `<database id>/<id>`. */
  paths(): string[]
  /** As an upload leaves it whose server was killed. */
  plantHalf(id: string, databaseId: string): void
  /** Puts all files where versions had them that knew no id of a database. */
  flatten(): void
  /** Takes the bytes of a file away. */
  lose(id: string): void
  goAway(): Promise<void>
  comeBack(): Promise<void>
  close(): Promise<void>
}

export const placeKinds = ['disk', 'S3'] as const

export const newFilePlace = (kind: (typeof placeKinds)[number]): Promise<FilePlace> =>
  kind === 'disk' ? newDiskPlace() : newS3Place()

const current = /^[0-9a-f-]{36}\/[^/]+$/

/** Of paths as `<database id>/<id>`: without what versions before had, and what is set aside. */
const idsOf = (paths: readonly string[]): string[] =>
  paths
    .filter((path) => current.test(path))
    .map((path) => basename(path))
    .toSorted()

async function newDiskPlace(): Promise<FilePlace> {
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

async function newS3Place(): Promise<FilePlace> {
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
