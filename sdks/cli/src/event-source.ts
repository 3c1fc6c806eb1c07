/** Reads server-sent events. */

export interface ServerEvent {
  id: string
  event: string
  data: string
}

/** No stream of a server is silent for this long: it sends a comment every 15 seconds. */
const silenceMs = 60_000
/** Larger than any event of a server. */
const maxBlockLength = 1024 * 1024

/** The events of a stream until it ends. A stream that breaks or is silent throws. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await beforeSilence(reader.read())
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      if (text.length > maxBlockLength) throw new Error('an event without end')
      for (const block of blocks) {
        const event = eventOf(block)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

async function beforeSilence<T>(reading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error('silence')), silenceMs)
  })
  try {
    return await Promise.race([reading, silence])
  } finally {
    clearTimeout(timer)
  }
}

/** Undefined for comments and for the time to reconnect. */
function eventOf(block: string): ServerEvent | undefined {
  const lines = block.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line) ?? [])
  const fields = new Map(lines.map(([, name = '', value = '']) => [name, value]))
  const event = fields.get('event')
  return event === undefined ? undefined : { event, id: fields.get('id') ?? '', data: fields.get('data') ?? '' }
}
