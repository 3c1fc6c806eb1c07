import { isUnique } from './hardware-id.ts'

/** Where operating systems keep the identifier of an installation. */

const linuxFiles = ['/etc/machine-id', '/var/lib/dbus/machine-id']

/** `read` gives an empty text for a file that can't be read. */
export async function linuxMachineId(read: (file: string) => Promise<string>): Promise<string | undefined> {
  for (const file of linuxFiles) {
    const text = await read(file)
    if (isUnique(text)) return text
  }
  return undefined
}

/** By its whole path: Windows looks for a mere name in the current folder first, where anybody can have put a program. */
export const registryProgram = (systemRoot: string | undefined): string =>
  `${systemRoot || String.raw`C:\Windows`}\\System32\\reg.exe`
