import type { StreamedReply } from './endpoint.ts'

interface FileMade {
  /** Content of the file, e.g. `licenses`; the file name also holds the app name and the date. */
  of: string
  appName: string
  format: 'txt' | 'csv' | 'json'
  /** Epoch seconds. */
  now: number
  /** Whether the browser should save the file; otherwise it is the `content` of a JSON reply. */
  download: boolean | undefined
  /** Generated while it is sent, so that the whole text is never in memory. */
  batches: AsyncIterable<string>
}

const mediaTypes = { txt: 'text/plain', csv: 'text/csv', json: 'application/json' }

export function fileReply({ of, appName, format, now, download, batches }: FileMade): StreamedReply {
  const day = new Date(now * 1000).toISOString().slice(0, 10)
  const filename = `${of}-${appName}-${day}.${format}`
  if (download) {
    const headers = {
      'content-type': `${mediaTypes[format]}; charset=utf-8`,
      'content-disposition': `attachment; filename="${filename}"`,
    }
    return { stream: batches, headers }
  }
  const rest = `"format":"${format}","filename":${JSON.stringify(filename)}}`
  return { stream: insideJson(batches, rest), headers: { 'content-type': 'application/json; charset=utf-8' } }
}

async function* insideJson(batches: AsyncIterable<string>, rest: string): AsyncGenerator<string> {
  yield '{"success":true,"content":"'
  for await (const batch of batches) yield JSON.stringify(batch).slice(1, -1)
  yield `",${rest}`
}
