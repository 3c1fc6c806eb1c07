import { hash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative, sep } from 'node:path'
import { runCommand } from './run-command.ts'

export const root = dirname(import.meta.dirname)

/** Something in `dist/` and what it is made from. */
export interface Build {
  /** Starts a sentence. */
  name: string
  folder: string
  /** The file in the folder that shows that there is a build. */
  built: string
  /** Patterns, from the root; they include what builds it. */
  sources: readonly string[]
  /** Paths that match a pattern and aren't sources. Tests never are. */
  except?: RegExp
}

/** SHA-256 by path. Times aren't compared: those of an unpacked release or an older commit say nothing. */
export type SourceHashes = Readonly<Record<string, string>>

const isTest = /\.(?:test|e2e)\.tsx?$/

export function hashSources({ sources, except = isTest }: Build): SourceHashes {
  const paths = globSync([...sources], { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll(sep, '/'))
    .filter((path) => !except.test(path) && !isTest.test(path))
    .toSorted()
  return Object.fromEntries(paths.map((path) => [path, hash('sha256', readFileSync(join(root, path)), 'base64url')]))
}

/** Beside the folder, because everything in it is served. */
const stampOf = ({ folder }: Build): string => `${folder}.sources.json`

function readStamp(build: Build): SourceHashes | undefined {
  if (!existsSync(build.built)) return undefined
  try {
    return JSON.parse(readFileSync(stampOf(build), 'utf8')) as SourceHashes
  } catch {
    return undefined
  }
}

/** True if the build is missing or made from other sources. */
export function isOutdated(build: Build, sources = hashSources(build)): boolean {
  const stamp = readStamp(build)
  if (!stamp || Object.keys(stamp).length !== Object.keys(sources).length) return true
  return Object.entries(sources).some(([file, value]) => stamp[file] !== value)
}

/**
 * Replaces a build. Without its stamp, a build is outdated, so an interruption leaves none that looks current.
 *
 * @param sources as they were before the build read them
 */
export async function replaceBuild(build: Build, sources: SourceHashes, replace: () => unknown): Promise<void> {
  const stamp = stampOf(build)
  rmSync(stamp, { force: true })
  await replace()
  const fresh = `${stamp}-${process.pid}`
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(fresh, JSON.stringify(sources))
  renameSync(fresh, stamp)
}

const abandonedMs = 3_600_000

/**
 * Where this process builds before it replaces the folder. Removes what killed builds have left there: nothing has been
 * written into it for an hour.
 */
export function freshFolder({ folder }: Build): string {
  const parent = dirname(folder)
  mkdirSync(parent, { recursive: true })
  for (const name of readdirSync(parent)) {
    const isTemporary = /^(?:\.sources\.json)?-\d+(?:-old)?$/.test(name.slice(basename(folder).length))
    if (!name.startsWith(basename(folder)) || !isTemporary) continue
    const left = join(parent, name)
    const writtenMs = statSync(left, { throwIfNoEntry: false })?.mtimeMs ?? Infinity
    if (Date.now() - writtenMs > abandonedMs) rmSync(left, { recursive: true, force: true })
  }
  return `${folder}-${process.pid}`
}

/** Builds what is missing or outdated; an installation without the build tools uses what there is. */
export async function ensureBuild(build: Build, script: string): Promise<void> {
  const sources = hashSources(build)
  if (!isOutdated(build, sources)) return
  if (hasBuildTool()) return runBuild(script)
  if (existsSync(build.built) && !isMadeFrom(readStamp(build), sources)) console.error(otherSources(build))
}

/** An image leaves out what only builds need, so missing sources don't count. */
const isMadeFrom = (stamp: SourceHashes | undefined, sources: SourceHashes): boolean =>
  stamp !== undefined && Object.entries(sources).every(([file, value]) => stamp[file] === value)

const otherSources = ({ name, folder }: Build): string =>
  `${name} in ${relative(root, folder)} is not built from the sources beside it, and this installation has no build ` +
  'tools: Signet uses it as it is. Run npm ci && npm run build, or put the release into an empty folder.'

/** Some installations omit development packages. */
export function hasBuildTool(): boolean {
  try {
    createRequire(import.meta.url).resolve('vite/package.json')
    return true
  } catch {
    return false
  }
}

/** Runs a build in a separate process, so that its memory, several times that of a server, is freed. */
export async function runBuild(script: string, ...args: string[]): Promise<void> {
  const { code } = await runCommand(process.execPath, [script, ...args], { group: true })
  if (code !== 0) throw new Error(`${basename(script)} ended with ${code}`)
}
