import { open } from 'node:fs/promises'

/** Otherwise a power failure may lose the new name of a file whose data is safe. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
