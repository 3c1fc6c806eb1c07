import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { LogOutput } from './log-output.ts'

const scratch = mkdtempSync(join(tmpdir(), 'signet-log-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants

function outputTo(fd: number) {
  const problems: string[] = []
  return { output: new LogOutput(fd, (problem) => problems.push(problem)), problems }
}

const lines = Array.from({ length: 1000 }, (_, n) => `line ${n} ✓\n`)
const flushed = (output: LogOutput) => new Promise<void>((resolve) => output.flush(resolve))

test('writes every line once, in order, also at the end of the process', async () => {
  const file = join(scratch, 'log')
  const { output, problems } = outputTo(openSync(file, 'w'))
  for (const line of lines) output.write(line)
  await flushed(output)
  output.write('last but one\n')
  await flushed(output)
  output.end()
  output.write('last\n')
  expect(readFileSync(file, 'utf8')).toBe([...lines, 'last but one\n', 'last\n'].join(''))
  expect(problems).toEqual([])
})

test('writes every line once at an end that does not wait', () => {
  const file = join(scratch, 'sudden')
  const { output, problems } = outputTo(openSync(file, 'w'))
  for (const line of lines) output.write(line)
  output.end()
  // The first one is still being written.
  return vi.waitFor(() => {
    expect(readFileSync(file, 'utf8').split('\n').toSorted()).toEqual([...lines.map((l) => l.trim()), ''].toSorted())
    expect(problems).toEqual([])
  })
})

test('the end waits for a reader that reads slowly', async () => {
  const pipe = join(scratch, 'slow')
  execFileSync('mkfifo', [pipe])
  const reader = openSync(pipe, O_RDONLY | O_NONBLOCK)
  const { output } = outputTo(openSync(pipe, O_WRONLY | O_NONBLOCK))
  // More than a pipe holds.
  const size = 100_000
  output.write('x'.repeat(size))
  const end = new AbortController()
  output.flush(() => end.abort())
  const bytes = Buffer.alloc(size)
  let read = 0
  const readMore = () => {
    try {
      read += readSync(reader, bytes)
    } catch {}
  }
  await new Promise((resolve) => setImmediate(resolve))
  while (!end.signal.aborted) {
    readMore()
    await new Promise((resolve) => setImmediate(resolve))
  }
  readMore()
  expect(read).toBe(size)
  closeSync(reader)
})

test('the end does not wait for a reader that reads nothing', async () => {
  const pipe = join(scratch, 'unread')
  execFileSync('mkfifo', [pipe])
  const reader = openSync(pipe, O_RDONLY | O_NONBLOCK)
  const { output } = outputTo(openSync(pipe, O_WRONLY | O_NONBLOCK))
  output.write('x'.repeat(1_000_000))
  await flushed(output)
  output.end()
  closeSync(reader)
})

test('a full disk is reported once, and holds nobody up', async () => {
  const { output, problems } = outputTo(openSync('/dev/full', 'w'))
  for (let n = 0; n < 10; n++) output.write('a line\n')
  const full = expect.stringMatching(/^The log can't be written \(ENOSPC: no space left .*lines are lost until it can$/)
  await vi.waitFor(() => expect(problems).toEqual([full]))
  output.write('another\n')
  output.end()
  expect(problems).toEqual([full])
})

test('once lines can be written again, one says how many were lost', async () => {
  const pipe = join(scratch, 'pipe')
  execFileSync('mkfifo', [pipe])
  const open = () => openSync(pipe, O_RDONLY | O_NONBLOCK)
  const first = open()
  const { output, problems } = outputTo(openSync(pipe, O_WRONLY | O_NONBLOCK))
  closeSync(first)
  output.write('lost\n')
  await vi.waitFor(() => expect(problems).toEqual([expect.stringContaining('EPIPE')]))
  const second = open()
  output.write('kept\n')
  let read = ''
  await vi.waitFor(() => {
    const bytes = Buffer.alloc(1000)
    read += bytes.toString('utf8', 0, readSync(second, bytes))
    expect(read).toMatch(/^kept\n\{"level":40,"time":"[^"]+","msg":"lines of the log were lost: 1"\}\n$/)
  })
})
