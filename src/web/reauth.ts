import { createStore } from './store.ts'

/** A delicate call waits for the password to be proved again (R-SES-08): true goes on, false gives up. */
export const reauthStore = createStore<((proved: boolean) => void) | undefined>(undefined)

/** Asks for the password; several calls that ask together share one prompt. */
export function proveAgain(): Promise<boolean> {
  return new Promise((resolve) => {
    const waiting = reauthStore.get()
    reauthStore.set((proved) => {
      waiting?.(proved)
      resolve(proved)
    })
  })
}

export function finishReauth(proved: boolean): void {
  const waiting = reauthStore.get()
  reauthStore.set(undefined)
  waiting?.(proved)
}
