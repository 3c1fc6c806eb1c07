import { createInterface } from 'node:readline/promises'
import type { Environment } from './environment.ts'
import { usage } from './failures.ts'
import { printable } from './printable.ts'

export const canAsk = ({ stdin, stderr }: Environment): boolean => stdin.isTTY && stderr.isTTY

/** An empty answer at Ctrl-D. */
export async function ask({ stdin, stderr }: Environment, question: string): Promise<string> {
  const reader = createInterface({ input: stdin, output: stderr })
  reader.on('SIGINT', () => {
    reader.close()
    stderr.write('\n')
    process.exit(130)
  })
  try {
    return (await reader.question(printable(question))).trim()
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error
    stderr.write('\n')
    return ''
  } finally {
    reader.close()
  }
}

/** What is typed is not shown. */
export function askSecret({ stdin, stderr }: Environment, question: string): Promise<string> {
  // First, so that the terminal shows nothing of a key that arrives with the question.
  stdin.setRawMode(true)
  stderr.write(question)
  stdin.setEncoding('utf8')
  stdin.resume()
  return new Promise((done) => {
    let typed = ''
    const end = () => {
      stdin.off('data', hear)
      stdin.setRawMode(false)
      stdin.pause()
      stderr.write('\n')
    }
    const hear = (chunk: string) => {
      for (const character of chunk) {
        if (character === '\u0003') {
          end()
          process.exit(130)
        }
        if (character === '\r' || character === '\n' || character === '\u0004') {
          end()
          return done(typed)
        }
        if (character === '\u007F' || character === '\b') typed = typed.slice(0, -1)
        else typed += character
      }
    }
    stdin.on('data', hear)
  })
}

/** Up to `maxBytes` of what is piped in. */
export async function readPiped({ stdin }: Environment, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    chunks.push(Buffer.from(chunk))
    size += chunk.length
    if (size > maxBytes) throw usage('There is too much text on the standard input')
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Asks a person; a script says `--yes`. */
export async function confirm(environment: Environment, question: string, isSure: unknown): Promise<void> {
  if (isSure === true) return
  if (!canAsk(environment)) throw usage('Nobody can be asked here. Add --yes if you are sure')
  if (!/^y(?:es)?$/i.test(await ask(environment, `${question} [y/N] `))) throw usage('Nothing was changed')
}
