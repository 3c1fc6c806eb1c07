/** The hash of a new password, or throws the rejection because of which there is none. */
export type CheckedHash = () => string

/**
 * Hashes a new password unless the check rejects. The rejection waits for the transaction, which first recognizes a
 * repeated request.
 */
export async function hashIfAccepted(check: () => Promise<void>, hash: () => Promise<string>): Promise<CheckedHash> {
  try {
    await check()
  } catch (error) {
    return () => {
      throw error
    }
  }
  const passwordHash = await hash()
  return () => passwordHash
}
