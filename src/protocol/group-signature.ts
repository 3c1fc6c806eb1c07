import { type KeyObject, sign } from 'node:crypto'
import { lengthPrefixed } from './length-prefixed.ts'
import { leafHash, merkleTree } from './merkle-tree.ts'

export interface GroupSignature {
  /** Signature over the root of the group: 64 bytes, base64url. */
  signature: string
  /** Merkle path from this message to the root; empty if the message was signed alone. */
  path: string
}

interface Waiting {
  leaf: Buffer
  resolve: (signature: GroupSignature) => void
  reject: (error: unknown) => void
}

/** 8 steps, where the protocol allows 16: a larger group saves nothing more. */
const maxGroup = 256
const minSyncGroup = 4
const domain = Buffer.from('signet/v1/replies')

/** The bytes that are signed for all replies below a root. */
export const rootMessage = (root: Uint8Array): Buffer => lengthPrefixed(domain, root)

let waitingCount = 0

/** Number of replies in this process that are waiting for their signature. */
export const waitingSignatures = (): number => waitingCount

/** Messages that get one signature together. */
class Group {
  readonly #members: Waiting[]
  readonly #paths: string[]
  /** What is signed. */
  readonly message: Buffer

  constructor(members: Waiting[]) {
    const { root, paths } = merkleTree(members.map(({ leaf }) => leaf))
    this.#members = members
    this.#paths = paths
    this.message = rootMessage(root)
  }

  succeed(bytes: Buffer): void {
    waitingCount -= this.#members.length
    const signature = bytes.toString('base64url')
    for (const [at, { resolve }] of this.#members.entries()) resolve({ signature, path: this.#paths[at] as string })
  }

  fail(error: unknown): void {
    waitingCount -= this.#members.length
    for (const { reject } of this.#members) reject(error)
  }
}

/**
 * Runs one signing job at a time: of a few messages on the thread pool, and messages that become ready meanwhile form
 * the next group; of more messages at once, since their share of a signature costs less than the way to a thread.
 */
class GroupSigner {
  readonly #key: KeyObject
  #waiting: Waiting[] = []
  #isBusy = false

  constructor(key: KeyObject) {
    this.#key = key
  }

  sign(message: Uint8Array): Promise<GroupSignature> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ leaf: leafHash(message), resolve, reject })
      waitingCount += 1
      if (this.#isBusy) return
      this.#isBusy = true
      // After all requests that came in together have been handled.
      setImmediate(() => this.#signNext())
    })
  }

  #signNext(): void {
    while (this.#waiting.length >= minSyncGroup) this.#signHere(new Group(this.#waiting.splice(0, maxGroup)))
    this.#isBusy = this.#waiting.length > 0
    if (!this.#isBusy) return
    const group = new Group(this.#waiting.splice(0, maxGroup))
    sign(null, group.message, this.#key, (error, bytes) => {
      this.#signNext()
      if (error) group.fail(error)
      else group.succeed(bytes)
    })
  }

  #signHere(group: Group): void {
    try {
      group.succeed(sign(null, group.message, this.#key))
    } catch (error) {
      group.fail(error)
    }
  }
}

const signers = new WeakMap<KeyObject, GroupSigner>()

/** Signs a message together with all other messages that are ready for the same Ed25519 key. */
export function signInGroup(key: KeyObject, message: Uint8Array): Promise<GroupSignature> {
  let signer = signers.get(key)
  if (!signer) signers.set(key, (signer = new GroupSigner(key)))
  return signer.sign(message)
}
