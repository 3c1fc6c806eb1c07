import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '#server/config.ts'
import { S3Server } from './s3-server.ts'

/** Where a server has its files, seen from outside: each test of files runs once for each. */
export interface FilePlace {
  /** Settings of a server whose files are here. */
  config: Pick<Config, 's3'> & Partial<Pick<Config, 'dataDir'>>
  /** The ids of what is there, in order; what is half received with `.part` behind it. */
  stored(): string[]
  /** As an upload leaves it whose server was killed. */
  plantHalf(id: string): void
  /** Takes the bytes of a file away. */
  lose(id: string): void
  goAway(): Promise<void>
  comeBack(): Promise<void>
  close(): Promise<void>
}

export const placeKinds = ['disk', 'S3'] as const

export const newFilePlace = (kind: (typeof placeKinds)[number]): Promise<FilePlace> =>
  kind === 'disk' ? newDiskPlace() : newS3Place()

async function newDiskPlace(): Promise<FilePlace> {
  const dataDir = mkdtempSync(join(tmpdir(), 'signet-files-'))
  const folder = join(dataDir, 'files')
  const away = join(dataDir, 'away')
  return {
    config: { dataDir },
    stored: () => (existsSync(folder) ? readdirSync(folder).toSorted() : []),
    plantHalf: (id) => writeFileSync(join(folder, `${id}.part`), 'half'),
    lose: (id) => rmSync(join(folder, id)),
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
  const idOf = (key: string) => key.slice(prefix.length)
  return {
    config: { s3: server.settings },
    stored: () => [...server.keys().map(idOf), ...server.uploads().map(({ key }) => `${idOf(key)}.part`)].toSorted(),
    plantHalf: (id) => server.plantUpload(prefix + id),
    lose: (id) => server.removeObject(prefix + id),
    goAway: () => server.stop(),
    comeBack: () => server.startAgain(),
    close: () => server.close(),
  }
}
