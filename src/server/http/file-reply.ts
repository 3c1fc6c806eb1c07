import type { StreamedReply } from './endpoint.ts'

interface FileMade {
  /** What is in it, e.g. `licenses`; the app's name and the day follow in the file's name. */
  of: string
  appName: string
  format: 'txt' | 'csv' | 'json'
  /** Epoch seconds. */
  now: number
  /** For the browser to save; otherwise the file is the `content` of a JSON reply. */
  download: boolean | undefined
  /** Made while it is sent: all of it never stands in memory. */
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
