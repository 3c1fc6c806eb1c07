import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'

/** The installed packages, their sources, and the Node version. */

const root = dirname(import.meta.dirname)
const run = promisify(execFile)
const read = (file: string) => readFileSync(join(root, file), 'utf8')

describe('npm ci warns of nothing', () => {
  interface Locked {
    version: string
    resolved?: string
    link?: boolean
    optional?: boolean
    dev?: boolean
    optionalDependencies?: Record<string, string>
    os?: string[]
    cpu?: string[]
    integrity?: string
    hasInstallScript?: boolean
    engines?: { node?: string }
  }
  const { '': _root, ...locked } = (JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> })
    .packages
  const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> }

  test('each install script that the lock file pins is approved, and no other', () => {
    const scripts = Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript)
    const names = scripts.map(([path]) => path.split('node_modules/').at(-1))
    expect(Object.keys(allowScripts).toSorted()).toEqual([...new Set(names)].toSorted())
    // The installed version is the one whose hash is in the lock file.
    for (const [path, { version, integrity }] of scripts) {
      expect([version, integrity], path).toEqual([expect.any(String), expect.stringMatching(/^sha512-/)])
    }
  })

  test('every package comes from the npm registry, by the bytes that the lock file knows (R-SUP-01)', () => {
    const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] }
    const elsewhere = Object.entries(locked).filter(([path, { link, resolved, integrity, optional, os, cpu }]) => {
      if (workspaces.includes(path) || (link && workspaces.includes(resolved ?? ''))) return false
      const isRegistry = resolved === undefined || resolved.startsWith('https://registry.npmjs.org/')
      // Binaries of other platforms were not downloaded where the lock file was created.
      const isOfOtherPlatform = optional === true && (os ?? cpu) !== undefined && integrity === undefined
      return !isRegistry || !(isOfOtherPlatform || /^sha512-[\w+/]{86}==$/.test(integrity ?? ''))
    })
    expect(elsewhere.map(([path]) => path)).toEqual([])
    expect(Object.keys(locked).length).toBeGreaterThan(100)
    const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>
    const ranges = Object.entries({ ...dependencies, ...devDependencies })
    expect(ranges.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  })

  test('what runs in production has its hash on every platform; build tools of others are pinned by those that have theirs (R-SUP-01)', () => {
    const known = Object.values(locked).filter(({ integrity }) => integrity !== undefined)
    const unknown = Object.entries(locked).filter(
      ([path, { integrity, link }]) => integrity === undefined && !link && path.startsWith('node_modules/'),
    )
    // npm records no hash of a binary that it did not download itself.
    const unpinned = unknown.filter(([path, { dev, optional, version }]) => {
      const name = path.split('node_modules/').at(-1) ?? ''
      const isPinned = known.some(({ optionalDependencies }) => optionalDependencies?.[name] === version)
      return dev !== true || optional !== true || !isPinned
    })
    expect(unpinned.map(([path]) => path)).toEqual([])
  })

  test('npm run sbom lists all packages, as CycloneDX (R-SUP-01)', async () => {
    const { scripts, dependencies } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>
    const [command = '', ...args] = (scripts?.['sbom'] ?? '').split(' ')
    const { stdout } = await run(command, [...args, '--package-lock-only'], { cwd: root, maxBuffer: 1e8 })
    const { bomFormat, components } = JSON.parse(stdout) as {
      bomFormat: string
      components: { name: string; version: string; group?: string }[]
    }
    expect(bomFormat).toBe('CycloneDX')
    const listed = new Map(components.map(({ group, name, version }) => [group ? `${group}/${name}` : name, version]))
    for (const [name, version] of Object.entries(dependencies ?? {})) expect(listed.get(name), name).toBe(version)
  })

  test('everything runs on the Node 24 that the lock file pins (R-SUP-02)', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
    expect(dependencies['node']).toMatch(/^24\./)
    expect(process.versions.node).toBe(dependencies['node'])
    expect(locked['node_modules/node']?.version).toBe(dependencies['node'])
  })

  test('no package wants a newer Node than npm may run on: all of them run on the one that Signet brings', () => {
    const oldest = 20
    const allows = (range: string) =>
      range.split('||').some((part) => {
        const [, sign, major] = /^\s*(>=|\^|~|)\s*(\d+)/.exec(part) ?? []
        return sign === '>=' ? Number(major) <= oldest : major === undefined || Number(major) === oldest
      })
    expect([allows('>=22'), allows('^22.12.0 || >=24'), allows('>= 18'), allows('^18 || 20 || >=22')]).toEqual([
      false,
      false,
      true,
      true,
    ])
    const wanting = Object.entries(locked).filter(([, { engines }]) => engines?.node && !allows(engines.node))
    expect(wanting.map(([path]) => `take "engines" of ${path} out of package-lock.json`)).toEqual([])
  })
})
