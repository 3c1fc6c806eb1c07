import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './outdated.ts'

/**
 * Every place that states the version of a release. The server and its clients have the same one. `npm run release`
 * sets them, and a test finds one that differs.
 */
const places: readonly [file: string, pattern: RegExp][] = [
  ['package.json', /(?<=^ {2}"version": ")[^"]+/m],
  ['sdks/typescript/package.json', /(?<=^ {2}"version": ")[^"]+/m],
  ['sdks/typescript/src/version.ts', /(?<=version = ')[^']+/],
  ['sdks/cli/package.json', /(?<=^ {2}"version": ")[^"]+/m],
  ['docs/guides/command-line.md', /(?<=signet-cli-)\d[\w.-]*(?=\.tgz)/],
  ['sdks/python/pyproject.toml', /(?<=^version = ")[^"]+/m],
  ['sdks/python/signet_client/version.py', /(?<=__version__ = ")[^"]+/],
  ['sdks/csharp/src/Signet.Client/Signet.Client.csproj', /(?<=<Version>)[^<]+/],
  ['sdks/csharp/src/Signet.Client/Net/Exchange.cs', /(?<="csharp\/)[^"]+/],
  ['sdks/cpp/CMakeLists.txt', /(?<=project\(signet VERSION )\S+/],
  ['sdks/cpp/include/signet/signet.h', /(?<=#define SIGNET_VERSION ")[^"]+/],
  ['sdks/cpp/packaging/conan/conanfile.py', /(?<=version = ")[^"]+/],
  ['sdks/cpp/packaging/vcpkg/vcpkg.json', /(?<="version(?:-semver)?": ")[^"]+/],
]

/** The version that each place states; undefined where it states none. */
export const statedVersions = (): [file: string, version: string | undefined][] =>
  places.map(([file, pattern]) => {
    const path = join(root, file)
    return [file, existsSync(path) ? pattern.exec(readFileSync(path, 'utf8'))?.[0] : undefined]
  })

export function setVersions(version: string): void {
  for (const [file, pattern] of places) {
    const path = join(root, file)
    const text = readFileSync(path, 'utf8')
    if (!pattern.test(text)) throw new Error(`${file} states no version`)
    writeFileSync(path, text.replace(pattern, version))
  }
}
