/** What the server answered, as the page shows it. */

export interface Reply {
  /** `200 OK` */
  status: string
  isError: boolean
  milliseconds: number
  /** Of the rate limit, and how long to wait. */
  headers: [name: string, value: string][]
  /** JSON is indented. */
  text: string
  /** Of an error. */
  code: string | undefined
}

const shownHeaders = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'Retry-After']

/** Reads to the end. A stream of events has none, so it is told as it grows. */
export async function readReply(response: Response, startedAt: number, show: (reply: Reply) => void): Promise<void> {
  const head = {
    status: `${response.status} ${response.statusText}`.trim(),
    isError: !response.ok,
    milliseconds: Math.round(performance.now() - startedAt),
    headers: shownHeaders.flatMap((name) => {
      const value = response.headers.get(name)
      return value === null ? [] : [[name, value] as [string, string]]
    }),
  }
  let text = ''
  for await (const part of textsOf(response)) {
    text += part
    if (isStream(response)) show({ ...head, text, code: undefined })
  }
  const body = parsed(text)
  const milliseconds = Math.round(performance.now() - startedAt)
  const shown = body === undefined ? text : JSON.stringify(body, null, 2)
  show({ ...head, milliseconds, text: shown, code: response.ok ? undefined : codeIn(body) })
}

export const isStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') ?? false

async function* textsOf({ body }: Response): AsyncGenerator<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) yield next.value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function codeIn(body: unknown): string | undefined {
  const code = (body as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(code) ? code : undefined
}

function element(name: string, text: string, className = ''): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  made.className = className
  return made
}

export function showReply(place: HTMLElement, { status, isError, milliseconds, headers, text, code }: Reply): void {
  const line = element('p', '', 'try-it-status')
  line.role = 'status'
  line.append(element('strong', status, isError ? 'try-it-error' : 'try-it-done'), ` in ${milliseconds} ms`)
  if (code) {
    const link = document.createElement('a')
    link.href = `/docs/reference/errors/${code.toLowerCase().replaceAll('_', '-')}/`
    link.textContent = `What ${code} means`
    line.append(' · ', link)
  }
  const limits = element('p', headers.map(([name, value]) => `${name}: ${value}`).join('\n'), 'try-it-headers')
  const body = element('pre', text, 'try-it-body')
  body.tabIndex = 0
  body.role = 'region'
  body.ariaLabel = 'Reply'
  place.replaceChildren(line, ...(headers.length > 0 ? [limits] : []), ...(text === '' ? [] : [body]))
}

export function showProblem(place: HTMLElement, text: string): void {
  const line = element('p', text, 'try-it-status try-it-error')
  line.role = 'alert'
  place.replaceChildren(line)
}
