import { execFile } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { build as esbuild } from 'esbuild'
import { build as vite } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ScriptedServer } from '../scripted-server.ts'

/** The installed package, bundled for a page. */

const folder = mkdtempSync(join(tmpdir(), 'signet-bundle-'))
const source = join(import.meta.dirname, '..')
const installed = join(folder, 'node_modules/@signet/client')
const entry = join(folder, 'page.js')

beforeAll(async () => {
  mkdirSync(installed, { recursive: true })
  writeFileSync(join(installed, 'package.json'), readFileSync(join(source, 'package.json')))
  const compiler = join(source, '../../node_modules/typescript/bin/tsc')
  const outDir = join(installed, 'dist')
  await promisify(execFile)(process.execPath, [compiler, '-p', join(source, 'tsconfig.build.json'), '--outDir', outDir])
  writeFileSync(entry, "import { Client } from '@signet/client'\nglobalThis.Client = Client\n")
})
afterAll(() => rmSync(folder, { recursive: true }))

const byEsbuild = async () => {
  const { outputFiles, warnings } = await esbuild({
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify: true,
    platform: 'browser',
    format: 'iife',
    logLevel: 'silent',
  })
  expect(warnings).toEqual([])
  return outputFiles[0]?.text ?? ''
}

const byVite = async () => {
  const lib = { entry, formats: ['iife' as const], name: 'page' }
  const made = await vite({ root: folder, configFile: false, logLevel: 'silent', build: { write: false, lib } })
  const [first] = Array.isArray(made) ? made : [made]
  return first && 'output' in first ? first.output[0].code : ''
}

/** What a page has; nothing of Node. */
function inPage(script: string): { attempt: (options: object) => string } {
  const { URL, TextEncoder, TextDecoder, AbortController, crypto, btoa, atob, setTimeout, clearTimeout } = globalThis
  const page = { URL, TextEncoder, TextDecoder, AbortController, crypto, btoa, atob, setTimeout, clearTimeout }
  const context = createContext({ ...page, performance, queueMicrotask, document: {}, fetch })
  runInContext(script, context)
  runInContext(
    `globalThis.attempt = (options) => {
      try { new Client(options); return 'ok' } catch (error) { return error.code + ': ' + error.message }
    }`,
    context,
  )
  return context as { attempt: (options: object) => string }
}

test.each([
  ['esbuild', byEsbuild],
  ['Vite', byVite],
])(
  '%s bundles it without a module of Node; a page can be made a client, and not with options of Node',
  async (_, make) => {
    const script = await make()
    expect(script).not.toMatch(/\b(?:require|import)\s*\(|__vite-browser-external/)
    expect(gzipSync(script).length).toBeLessThan(24_000)
    const { attempt } = inPage(script)
    const { keys } = new ScriptedServer()
    const options = {
      ...keys,
      ownerId: 'Ab3dE6gH1j',
      appName: 'My App',
      version: '1.0',
      serverUrl: 'https://signet.test',
    }
    expect(attempt(options)).toBe('ok')
    expect(attempt({ ...options, sslFingerprint: 'auto', proxy: 'auto' })).toBe('ok')
    const refused =
      'INVALID_CONFIGURATION: sslFingerprint, ca, and proxy need Node 20.16 or later; browsers and workers have none of them.'
    for (const own of [{ sslFingerprint: 'ab'.repeat(32) }, { ca: 'x' }, { proxy: 'http://proxy.test' }]) {
      expect(attempt({ ...options, ...own })).toBe(refused)
    }
  },
)

test('no file but node.js imports a module of Node, so that any bundler and any resolver finds everything', () => {
  const files = globSync('*.js', { cwd: join(installed, 'dist') })
  expect(files).toContain('node-transport.js')
  const imports = files
    .filter((file) => file !== 'node.js')
    .flatMap(
      (file) => readFileSync(join(installed, 'dist', file), 'utf8').match(/\bfrom '[^.][^']*'|import\([^)]*\)/g) ?? [],
    )
  expect(imports).toEqual([])
})

test('its types need no types of Node', async () => {
  const page = join(folder, 'page.ts')
  writeFileSync(page, "import { Client } from '@signet/client'\nexport const made: typeof Client = Client\n")
  const compiler = join(source, '../../node_modules/typescript/bin/tsc')
  const options = '--noEmit --strict --module nodenext --target es2022 --lib es2024,dom,dom.iterable --types'.split(' ')
  await promisify(execFile)(process.execPath, [compiler, ...options, '', page], { cwd: folder })
})
