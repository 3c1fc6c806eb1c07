import { createContext } from 'react'

/** Called when the content of a dialog that shows it only once has been copied or saved. */
export const KeptContext = createContext<() => void>(() => undefined)
