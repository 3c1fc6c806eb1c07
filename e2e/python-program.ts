import { spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const python = process.env['SIGNET_PYTHON'] ?? 'python3'

/** Runs a copied snippet with the Python client, as an owner would, and types `input`. */
export function runPython(program: string, input = ''): Promise<{ code: number; output: string }> {
  const file = join(mkdtempSync(join(tmpdir(), 'signet-program-')), 'program.py')
  writeFileSync(file, program)
  return new Promise((done) => {
    const child = spawn(python, [file], { env: { ...process.env, PYTHONPATH: resolve('sdks/python') } })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('close', (code) => done({ code: code ?? 1, output }))
    child.stdin.end(input)
  })
}
