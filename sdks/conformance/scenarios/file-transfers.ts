import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Exchange, Script } from '../server/scripted-server.ts'
import type { Stage } from '../stage.ts'

export const id = 'file-1'
export const bytes = Buffer.from(Array.from({ length: 400_000 }, (_, n) => (n * 31 + (n >> 8)) % 256))
export const half = 200_000
const before = 'what stood there before'

/** Sends the head of the whole answer and only the first bytes, then nothing more. */
export const haltAfter =
  (length: number, then?: (exchange: Exchange) => void): Script =>
  (exchange) => {
    const { honest, response } = exchange
    const reply = honest()
    response.writeHead(reply.status, [...reply.headers, ['content-length', String(reply.body.length)]].flat())
    response.write(reply.body.subarray(0, length), () => then?.(exchange))
    return undefined
  }

/** The same, then breaks off. */
export const cutAfter = (length: number): Script =>
  haltAfter(length, ({ response }) => setTimeout(() => response.destroy(), 100))

/** Offers the file and makes room for it, at a path where a file already is. */
export function prepared(stage: Stage): { fileId: string; path: string } {
  stage.server.model.files.set(id, { fileName: 'app.zip', bytes })
  const path = join(stage.folder(), 'app.zip')
  writeFileSync(path, before)
  return { fileId: id, path }
}

/** What is at the path after a download, and beside it. */
export function left(stage: Stage): string {
  const content = readFileSync(join(stage.folder(), 'app.zip'))
  const now = content.equals(bytes) ? 'the file' : content.toString() === before ? 'the old file' : 'other bytes'
  const others = stage.filesIn(stage.folder()).filter((name) => name !== 'app.zip')
  return [now, ...others.map((name) => `also ${name}`)].join(', ')
}

/** Downloads to a path where a file already is, and says what is there afterwards. */
export async function fetched(stage: Stage): Promise<string> {
  const got = await stage.timed(25, 'download', prepared(stage))
  return `${got}, ${left(stage)}`
}
