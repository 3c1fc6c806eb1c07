import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

/** A repository with only these tools, and a build tool that records the process it runs in. */
const scratch = mkdtempSync(join(tmpdir(), 'signet-build-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const tools = ['build-server.ts', 'outdated.ts', 'run-command.ts']
const vite = join(scratch, 'node_modules/vite')
mkdirSync(vite, { recursive: true })
writeFileSync(join(scratch, 'package.json'), '{ "type": "module" }')
writeFileSync(
  join(vite, 'package.json'),
  '{ "name": "vite", "type": "module", "exports": { ".": "./vite.js", "./package.json": "./package.json" } }',
)
for (const tool of tools) cpSync(join(import.meta.dirname, tool), join(scratch, 'tools', tool))

function startWith(build: string) {
  writeFileSync(
    join(vite, 'vite.js'),
    `import { mkdirSync, writeFileSync } from 'node:fs'
     export async function build({ build: { outDir } }) { ${build} }`,
  )
  const program = `
    const { ensureServer } = await import(${JSON.stringify(join(scratch, 'tools/build-server.ts'))})
    const { builder } = await import(await ensureServer())
    console.log(builder === process.pid ? 'same process' : 'another process')`
  return spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
}

test('a build that fails stops the start', () => {
  const { status, stderr } = startWith('throw new Error("no room left")')
  expect(stderr).toContain('no room left')
  expect(stderr).toContain('build-server.ts ended with 1')
  expect(status).toBe(1)
})

test('the server is built in another process than it runs in', () => {
  const { status, stdout } = startWith(
    "mkdirSync(outDir, { recursive: true }); writeFileSync(outDir + '/main.js', 'export const builder = ' + process.pid)",
  )
  expect(stdout).toContain('another process')
  expect(status).toBe(0)
})
