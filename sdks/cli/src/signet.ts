#!/usr/bin/env node
import { main } from './program.ts'

// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
// Nor is one that reads no messages.
process.stderr.on('error', () => {})

const { argv, env, stdin, stdout, stderr } = process
process.exitCode = await main({ args: argv.slice(2), variables: env, stdin, stdout, stderr })
// A prompt keeps the standard input open.
stdin.unref?.()
