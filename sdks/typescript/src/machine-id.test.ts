import { expect, test } from 'vitest'
import { linuxMachineId, registryProgram } from './machine-id.ts'

test.each([
  ['D:\\WINDOWS', 'D:\\WINDOWS\\System32\\reg.exe'],
  [undefined, 'C:\\Windows\\System32\\reg.exe'],
])('the program that reads the registry is that of the system, not one in the current folder (%s)', (root, path) => {
  expect(registryProgram(root)).toBe(path)
})

test('on Linux, the other file is read if the first one identifies nothing', async () => {
  const files: Record<string, string> = { '/etc/machine-id': `${'0'.repeat(32)}\n` }
  const found = () => linuxMachineId(async (file) => files[file] ?? '')
  expect(await found()).toBeUndefined()
  files['/var/lib/dbus/machine-id'] = '3f2b8c1d9e4a4b6f8d7c5e1a2b3c4d5e\n'
  expect(await found()).toBe('3f2b8c1d9e4a4b6f8d7c5e1a2b3c4d5e\n')
})
