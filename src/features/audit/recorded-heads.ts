import { createHmac, type KeyObject, randomBytes } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#server/config/config.ts'
import type { MasterKey } from '#server/secrets/master-key.ts'

/** A position in the audit chain and the hash of the row there; position 0 is the empty chain. */
export interface KnownHead {
  seq: number
  hash: string
}

/** The file was changed without the master key, or belongs to another key. */
export class RecordedHeadInvalid extends Error {}

type Recorded = Record<string, KnownHead & { mac: string }>

/**
 * The latest head of each database's audit chain, in a file next to the master key, so that access to the database
 * alone is not enough to remove sealed rows. If the key's folder is read-only, the file is in the data
 * folder.
 */
export class RecordedHeads {
  readonly files: readonly [string, string]
  readonly #macKey: KeyObject

  constructor({ masterKeyFile, dataDir }: Pick<Config, 'masterKeyFile' | 'dataDir'>, masterKey: MasterKey) {
    this.files = [`${masterKeyFile}.audit-heads`, join(dataDir, 'audit-heads')]
    this.#macKey = masterKey.macKey('recorded audit head')
  }

  /** Undefined if nothing is recorded of a database. Throws `RecordedHeadInvalid`. */
  async find(databaseId: string): Promise<KnownHead | undefined> {
    const found: KnownHead[] = []
    for (const file of this.files) {
      const recorded = (await readRecorded(file))[databaseId]
      if (!recorded) continue
      const { seq, hash, mac } = recorded
      if (mac !== this.#mac(databaseId, { seq, hash })) {
        throw new RecordedHeadInvalid(`${file} was not written with this master key`)
      }
      found.push({ seq, hash })
    }
    return found.toSorted((a, b) => b.seq - a.seq)[0]
  }

  /** Replaces the record of this database, in both files if necessary. */
  async record(databaseId: string, { seq, hash }: KnownHead): Promise<void> {
    const entry = { seq, hash, mac: this.#mac(databaseId, { seq, hash }) }
    const [first, second] = this.files
    const isWritten = await replaceEntry(first, databaseId, entry).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (!readOnlyCodes.has(error.code ?? '')) throw error
        return false
      },
    )
    // An older entry there would take precedence if it were higher.
    if (!isWritten || (await readRecorded(second))[databaseId]) await replaceEntry(second, databaseId, entry)
  }

  #mac(databaseId: string, { seq, hash }: KnownHead): string {
    return createHmac('sha256', this.#macKey).update(`${databaseId} ${seq} ${hash}`).digest('base64url')
  }
}

const readOnlyCodes = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT'])

async function readRecorded(file: string): Promise<Recorded> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Recorded
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    if (error instanceof SyntaxError) throw new RecordedHeadInvalid(`${file} can't be read: ${error.message}`)
    throw error
  }
}

/** Atomically, so that a crash leaves either the old or the new file. Containers that share it have one process ID. */
async function replaceEntry(file: string, databaseId: string, entry: Recorded[string]): Promise<void> {
  const all = await readRecorded(file)
  const fresh = `${file}.${randomBytes(6).toString('hex')}`
  const handle = await open(fresh, 'wx', 0o600)
  try {
    await handle.writeFile(`${JSON.stringify({ ...all, [databaseId]: entry }, null, 1)}\n`)
    await handle.sync()
    await rename(fresh, file)
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => {})
    throw error
  } finally {
    await handle.close()
  }
}
