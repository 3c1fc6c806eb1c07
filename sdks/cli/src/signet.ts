#!/usr/bin/env node
import { main } from './program.ts'

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // A reader that has seen enough, such as `head`, is no failure.
  if (code === 'EPIPE') process.exit(0)
  const text = `signet: The output can't be written (${code}). The server has completed the request.\n`
  process.stderr.write(text, () => process.exit(2))
})
// Nor is one that reads no messages.
process.stderr.on('error', () => {})

const { argv, env, stdin, stdout, stderr } = process
process.exitCode = await main({ args: argv.slice(2), variables: env, stdin, stdout, stderr })
// A prompt keeps the standard input open.
stdin.unref?.()
