import { call } from '#web/api/call.ts'
import type { CallReply } from '#web/api/call-types.ts'

export interface Upload {
  file: File
  name: string
  description: string
  authenticated: boolean
}

interface UploadOptions {
  signal: AbortSignal
  /** Sent bytes of the file. */
  onProgress: (sentBytes: number) => void
}

/** Sends a file with XMLHttpRequest, because `fetch` does not report upload progress. */
export function uploadFile(upload: Upload, options: UploadOptions): Promise<CallReply<'POST /downloads/upload'>> {
  const body = new FormData()
  // Fields before the file, so that the server reads them first.
  body.append('name', upload.name)
  body.append('description', upload.description)
  body.append('authenticated', String(upload.authenticated))
  // Not available until Complete, which may still change the access.
  body.append('complete', 'false')
  body.append('file', upload.file)
  // The fields of the form stand before the file.
  const reportFile = ({ loaded, total }: ProgressEvent) =>
    options.onProgress(Math.max(0, Math.min(upload.file.size, loaded - (total - upload.file.size))))
  const transport: typeof fetch = (address, init) => send(String(address), init ?? {}, reportFile)
  return call('POST /downloads/upload', { body: body as object, signal: options.signal, transport })
}

function send(address: string, init: RequestInit, onProgress: (event: ProgressEvent) => void): Promise<Response> {
  return new Promise((resolve, reject) => {
    // The call may have waited for a sign-in.
    init.signal?.throwIfAborted()
    const request = new XMLHttpRequest()
    request.open(init.method ?? 'POST', address)
    for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', onProgress)
    request.addEventListener('load', () => {
      const headers = new Headers()
      for (const line of request.getAllResponseHeaders().split('\r\n')) {
        const end = line.indexOf(': ')
        if (end > 0) headers.append(line.slice(0, end), line.slice(end + 2))
      }
      resolve(new Response(request.responseText, { status: request.status, headers }))
    })
    request.addEventListener('error', () => reject(new TypeError('the request failed')))
    request.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
    init.signal?.addEventListener('abort', () => request.abort())
    request.send(init.body as FormData)
  })
}
