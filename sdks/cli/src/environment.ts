import type { ReadStream, WriteStream } from 'node:tty'

/** What the program runs in. */
export interface Environment {
  args: readonly string[]
  variables: Readonly<Record<string, string | undefined>>
  stdin: ReadStream
  stdout: WriteStream
  stderr: WriteStream
}
