import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

const [headerBytes, txtType, classIn, ttlSeconds] = [12, 16, 1, 60]
const rcodes = { found: 0, failed: 2, missing: 3 }

interface Question {
  name: string
  type: number
  /** Its end position in the message. */
  end: number
}

function questionOf(message: Buffer): Question {
  const labels: string[] = []
  let at = headerBytes
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

/** A TXT record for the queried name; texts longer than 255 bytes are split. */
function recordOf(text: string): Buffer {
  const bytes = Buffer.from(text)
  const parts: Buffer[] = []
  for (let from = 0; from < Math.max(bytes.length, 1); from += 255) {
    const part = bytes.subarray(from, from + 255)
    parts.push(Buffer.from([part.length]), part)
  }
  const data = Buffer.concat(parts)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc000 | headerBytes, 0)
  head.writeUInt16BE(txtType, 2)
  head.writeUInt16BE(classIn, 4)
  head.writeUInt32BE(ttlSeconds, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

/** A real local name server with only TXT records. */
export class NameServer {
  readonly #socket: Socket
  /** By lowercase name. */
  readonly records = new Map<string, string[]>()
  /** Names of all queries so far. */
  readonly questions: string[] = []
  mode: 'answers' | 'fails' | 'silent' = 'answers'

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('message', (message, { address, port }) => {
      const answer = this.#answerTo(message)
      if (answer) socket.send(answer, port, address)
    })
  }

  static async start(): Promise<NameServer> {
    const socket = createSocket('udp4')
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    return new NameServer(socket)
  }

  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`
  }

  #answerTo(message: Buffer): Buffer | undefined {
    const { name, type, end } = questionOf(message)
    this.questions.push(name)
    if (this.mode === 'silent') return undefined
    const texts = this.records.get(name)
    const records = type === txtType && texts ? texts.map(recordOf) : []
    const rcode = this.mode === 'fails' ? rcodes.failed : texts ? rcodes.found : rcodes.missing
    const head = Buffer.from(message.subarray(0, end))
    head.writeUInt16BE(0x8180 | rcode, 2)
    head.writeUInt16BE(this.mode === 'fails' ? 0 : records.length, 6)
    head.writeUInt16BE(0, 8)
    head.writeUInt16BE(0, 10)
    return Buffer.concat([head, ...(this.mode === 'fails' ? [] : records)])
  }

  async close(): Promise<void> {
    this.#socket.close()
    await once(this.#socket, 'close')
  }
}
