import { globSync } from 'node:fs'
import { join } from 'node:path'
import { clientPrograms } from '../testing/clients/client-programs.ts'
import { root } from './outdated.ts'
import { installedByApt } from './prerequisites.ts'
import { runCommand } from './run-command.ts'
import type { Sum } from './sum.ts'

/**
 * Builds and tests the C# and C++ clients where their toolchains are found, and runs the conformance scenarios against
 * each client. A missing toolchain is named in one line; nothing else is skipped.
 */

const csharp = join(root, 'sdks/csharp')
const cppBuild = join(root, '.cache/cpp')
const cppPackages = ['libcurl4-openssl-dev', 'libssl-dev', 'nlohmann-json3-dev', 'libgtest-dev']
const quietDotnet = { DOTNET_CLI_TELEMETRY_OPTOUT: '1', DOTNET_NOLOGO: '1', DOTNET_CLI_UI_LANGUAGE: 'en' }

const none: Sum = { passed: 0, failed: 0 }
const failedWith = (failure: string): Sum => ({ passed: 0, failed: 1, failures: [failure] })
const lastLines = (output: string) => output.trim().split('\n').slice(-8).join('\n')

const has = async (command: string): Promise<boolean> =>
  (await runCommand(command, ['--version'], { quiet: true })).code === 0

/** Builds the C# client's tests and its conformance program, whose command goes to `SIGNET_CSHARP_PROGRAM`. */
export async function buildCsharp(): Promise<Sum> {
  if (!(await has('dotnet'))) return skipped('C#', 'the .NET SDK 10 (dotnet)')
  const restored = await runCommand('dotnet', ['restore', csharp], { quiet: true, environment: quietDotnet })
  if (restored.code !== 0 && /NU1301|NU1101|NU1102/.test(restored.output)) {
    return skipped('C#', `the packages from nuget.org, which can't be reached (${lastLines(restored.output)})`)
  }
  const built = await runCommand('dotnet', ['build', csharp, '-c', 'Release', '--no-restore'], {
    quiet: true,
    environment: quietDotnet,
  })
  if (built.code !== 0) return failedWith(`the C# client doesn't compile:\n${lastLines(built.output)}`)
  const [program] = globSync('tests/Conformance/bin/Release/*/Signet.Client.Conformance.dll', { cwd: csharp })
  if (!program) return failedWith('the conformance program of the C# client was not built')
  process.env['SIGNET_CSHARP_PROGRAM'] = JSON.stringify(['dotnet', join(csharp, program)])
  return none
}

export async function csharpTests(): Promise<Sum> {
  if (!process.env['SIGNET_CSHARP_PROGRAM']) return none
  const { code, output } = await runCommand('dotnet', ['test', csharp, '-c', 'Release', '--no-build'], {
    environment: quietDotnet,
    group: true,
    quiet: true,
  })
  const results = [...output.matchAll(/Failed:\s+(\d+), Passed:\s+(\d+)/g)]
  const passed = results.reduce((sum, [, , each]) => sum + Number(each), 0)
  const failed = results.reduce((sum, [, each]) => sum + Number(each), 0)
  const failures = [...output.matchAll(/^\s+Failed (\S.*?) \[/gm)].map(([, name]) => `C#: ${name}`)
  return { passed, failed: Math.max(failed, code === 0 && passed > 0 ? 0 : 1), failures, output }
}

/** Builds the C++ client with its tests; the conformance program's command goes to `SIGNET_CPP_PROGRAM`. */
export async function buildCpp(): Promise<Sum> {
  if (!(await has('cmake')) || !(await has('c++'))) return skipped('C++', 'CMake and a C++ compiler')
  // Compiled without optimization, which takes a third of the time; the sources and the warnings are the same.
  const settings = ['-DSIGNET_WERROR=ON', '-DCMAKE_BUILD_TYPE=Debug', '-DCMAKE_CXX_FLAGS_DEBUG=-O0']
  const configure = () =>
    runCommand('cmake', ['-S', join(root, 'sdks/cpp'), '-B', cppBuild, ...settings], { quiet: true })
  let configured = await configure()
  if (configured.code !== 0) {
    const why = 'the C++ client needs libcurl, OpenSSL 3, nlohmann-json, and GoogleTest, and not all were found'
    if (!(await installedByApt(why, ...cppPackages))) return skipped('C++', cppPackages.join(', '))
    configured = await configure()
  }
  if (configured.code !== 0) return failedWith(`the C++ client can't be configured:\n${lastLines(configured.output)}`)
  const built = await runCommand('cmake', ['--build', cppBuild, '-j', '2'], { quiet: true, group: true })
  if (built.code !== 0) return failedWith(`the C++ client doesn't compile:\n${lastLines(built.output)}`)
  const [program] = globSync('**/signet_conformance', { cwd: cppBuild })
  if (!program) return failedWith('the conformance program of the C++ client was not built')
  process.env['SIGNET_CPP_PROGRAM'] = JSON.stringify([join(cppBuild, program)])
  return none
}

export async function cppTests(): Promise<Sum> {
  if (!process.env['SIGNET_CPP_PROGRAM']) return none
  // The test of the installed package compiles the library again: CONTRIBUTING.md says how to run it.
  const args = ['--test-dir', cppBuild, '--output-on-failure', '-j', '2', '--exclude-regex', 'install_test']
  const { code, output } = await runCommand('ctest', args, { group: true, quiet: true })
  const [, failedText = '0', allText = '0'] = /(\d+) tests? failed out of (\d+)/.exec(output) ?? []
  const [failed, all] = [Number(failedText), Number(allText)]
  const failures = [...output.matchAll(/^\s+\d+ - (\S+) \(/gm)].map(([, name]) => `C++: ${name}`)
  return { passed: all - failed, failed: Math.max(failed, code === 0 && all > 0 ? 0 : 1), failures, output }
}

/** The scripted server against each client that was built, side by side: clients mostly wait. */
export async function conformanceTests(): Promise<Sum> {
  const sums = await Promise.all(
    clientPrograms().map(({ language, command }) => (command ? conformanceOf(language, command) : none)),
  )
  return {
    passed: sums.reduce((sum, { passed }) => sum + passed, 0),
    failed: sums.reduce((sum, { failed }) => sum + failed, 0),
    failures: sums.flatMap(({ failures = [] }) => failures),
    output: sums.flatMap(({ output = [] }) => output).join('\n'),
  }
}

async function conformanceOf(language: string, command: string[]): Promise<Sum> {
  const { code, output } = await runCommand(
    process.execPath,
    [join(root, 'sdks/conformance/run.ts'), '--jobs', '1', '--', ...command],
    { group: true, quiet: true },
  )
  const [, passedText = '0', failedText = '0'] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? []
  const [passed, failed] = [Number(passedText), Number(failedText)]
  const isGood = code === 0 && failed === 0 && passed > 0
  return {
    passed,
    failed: Math.max(failed, isGood ? 0 : 1),
    failures: [...new Set([...output.matchAll(/^FAIL (.*)$/gm)].map(([, name]) => `${language}: ${name}`))],
    output: `${language}: ${isGood ? `${passed} scenarios passed` : output}`,
  }
}

function skipped(language: string, missing: string): Sum {
  return { ...none, output: `The ${language} client is not tested here: install ${missing}.` }
}
