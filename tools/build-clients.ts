import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import manifest from '../package.json' with { type: 'json' }
import { type Build, ensureBuild, freshFolder, hashSources, isOutdated, replaceBuild, root } from './outdated.ts'
import { runCommand } from './run-command.ts'
import { packTar } from './tar.ts'

/**
 * Packages the client libraries into `dist/clients`, which the server offers at `/clients/`: a Python wheel, an npm
 * tarball, the command line, the sources for C# and C++ and, where `npm run build` finds the .NET SDK, a NuGet package.
 */

const script = fileURLToPath(import.meta.url)
const folder = join(root, 'dist/clients')
const sdks = join(root, 'sdks')
const { version } = manifest
/** Not packed for C# and C++: tests, and what compilers leave. */
const notSource = /(?:^|\/)(?:bin|obj|build|tests|TestResults|\.vs)(?:\/|$)/
const clients: Build = {
  name: 'The packages of the clients',
  folder,
  built: join(folder, 'index.json'),
  sources: [
    'sdks/LICENSE',
    'sdks/python/{signet_client/*,pyproject.toml,README.md}',
    'sdks/{typescript,cli}/{src/*,package.json,tsconfig.build.json,README.md}',
    'sdks/{csharp,cpp}/**/*',
    'tools/{build-clients,tar}.ts',
    'package.json',
  ],
  except: notSource,
}

type Files = Map<string, Buffer>

/** Builds the packages if they are missing or outdated, without the NuGet package, which takes long. */
export async function ensureClients(): Promise<void> {
  await ensureBuild(clients, script)
}

async function buildClients({ nuget }: { nuget: boolean }): Promise<void> {
  const sources = hashSources(clients)
  if (!isOutdated(clients, sources) && !(nuget && !hasNuget())) return
  console.log('Packaging the clients…')
  const fresh = freshFolder(clients)
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { recursive: true })
  for (const [name, content] of await packClients()) writeFileSync(join(fresh, name), content)
  if (nuget) await addNugetPackages(fresh)
  const files = readdirSync(fresh)
    .toSorted()
    .map((name) => ({ name, ...digestOf(readFileSync(join(fresh, name))) }))
  writeFileSync(join(fresh, 'index.json'), `${JSON.stringify({ version, files }, null, 2)}\n`)
  await replaceBuild(clients, sources, () => {
    rmSync(folder, { recursive: true, force: true })
    renameSync(fresh, folder)
  })
}

/** The packages that need nothing but Node, by file name. */
export const packClients = async (): Promise<Map<string, Uint8Array>> =>
  new Map([
    [`signet_client-${version}-py3-none-any.whl`, await wheel()],
    [`signet-client-${version}.tgz`, gzipped(await npmPackage('typescript'))],
    [`signet-cli-${version}.tgz`, gzipped(await npmPackage('cli'))],
    [`signet-csharp-${version}.tar.gz`, gzipped(sourceArchive('csharp'))],
    [`signet-cpp-${version}.tar.gz`, gzipped(sourceArchive('cpp'))],
  ])

const hasNuget = () => existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.nupkg'))

const digestOf = (content: Buffer) => ({
  size: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
})

const gzipped = (files: Files): Buffer => gzipSync(packTar(files), { level: 9 })

const license = () => readFileSync(join(sdks, 'LICENSE'))

/** A pure Python package in the wheel format (PyPA), which needs no Python to be made. */
async function wheel(): Promise<Uint8Array> {
  const project = readFileSync(join(sdks, 'python/pyproject.toml'), 'utf8')
  const field = (name: string) => new RegExp(`^${name} = "(.*)"$`, 'm').exec(project)?.[1] ?? ''
  const dependencies = /^dependencies = \[(.*)\]$/m.exec(project)?.[1] ?? ''
  const info = `signet_client-${version}.dist-info`
  const metadata = [
    'Metadata-Version: 2.1',
    'Name: signet-client',
    `Version: ${version}`,
    `Summary: ${field('description')}`,
    'License: MIT',
    `Requires-Python: ${field('requires-python')}`,
    ...[...dependencies.matchAll(/"([^"]+)"/g)].map(([, each]) => `Requires-Dist: ${each}`),
    'Description-Content-Type: text/markdown',
    '',
    readFileSync(join(sdks, 'python/README.md'), 'utf8'),
  ]
  const names = globSync('signet_client/{*.py,py.typed}', { cwd: join(sdks, 'python') }).toSorted()
  const files: Files = new Map(names.map((name) => [name, readFileSync(join(sdks, 'python', name))]))
  files.set(`${info}/METADATA`, Buffer.from(metadata.join('\n')))
  files.set(
    `${info}/WHEEL`,
    Buffer.from('Wheel-Version: 1.0\nGenerator: signet\nRoot-Is-Purelib: true\nTag: py3-none-any\n'),
  )
  files.set(`${info}/LICENSE`, license())
  const record = [...files].map(([name, content]) => {
    return `${name},sha256=${createHash('sha256').update(content).digest('base64url')},${content.length}\n`
  })
  files.set(`${info}/RECORD`, Buffer.from(`${record.join('')}${info}/RECORD,,\n`))
  // The earliest time of the format, so that equal sources give equal bytes.
  // An installation without development packages has no fflate, and starts all the same.
  const { zipSync } = await import('fflate')
  return zipSync(Object.fromEntries(files), { level: 9, mtime: '1980-01-02' })
}

async function npmPackage(folder: 'typescript' | 'cli'): Promise<Files> {
  const built = mkdtempSync(join(tmpdir(), 'signet-npm-'))
  try {
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const args = [compiler, '-p', join(sdks, folder, 'tsconfig.build.json'), '--outDir', built]
    const { code, output } = await runCommand(process.execPath, args, { quiet: true })
    if (code !== 0) throw new Error(`sdks/${folder} doesn't compile:\n${output}`)
    const dist = globSync('**/*.{js,ts,map}', { cwd: built }).toSorted()
    return new Map([
      ...['package.json', 'README.md'].map(
        (name) => [`package/${name}`, readFileSync(join(sdks, folder, name))] as const,
      ),
      ['package/LICENSE', license()],
      ...dist.map((name) => [`package/dist/${name}`, readFileSync(join(built, name))] as const),
    ])
  } finally {
    rmSync(built, { recursive: true })
  }
}

function sourceArchive(language: 'csharp' | 'cpp'): Files {
  const top = `signet-${language}-${version}`
  const names = globSync('**/*', { cwd: join(sdks, language), withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(sdks, language).length + 1))
    .filter((name) => !notSource.test(name))
    .toSorted()
  return new Map([
    [`${top}/LICENSE`, license()],
    ...names.map((name) => [`${top}/${name}`, readFileSync(join(sdks, language, name))] as const),
  ])
}

/** In a copy, because `dotnet` writes beside the sources. */
async function addNugetPackages(target: string): Promise<void> {
  const copy = mkdtempSync(join(tmpdir(), 'signet-nuget-'))
  try {
    cpSync(join(sdks, 'csharp'), join(copy, 'csharp'), {
      recursive: true,
      filter: (name) => !/\/(?:bin|obj)$/.test(name),
    })
    cpSync(join(sdks, 'LICENSE'), join(copy, 'LICENSE'))
    const project = join(copy, 'csharp/src/Signet.Client')
    const { code, output } = await runCommand('dotnet', ['pack', project, '-c', 'Release', '-o', target], {
      quiet: true,
      environment: { DOTNET_CLI_TELEMETRY_OPTOUT: '1', DOTNET_NOLOGO: '1' },
    })
    if (code === 127) console.log('No NuGet package: the .NET SDK (dotnet) is not installed here.')
    else if (code !== 0) console.log(`No NuGet package: ${output.trim().split('\n').at(-1)}`)
  } finally {
    rmSync(copy, { recursive: true })
  }
}

if (process.argv[1] === script) await buildClients({ nuget: process.argv.includes('--nuget') })
