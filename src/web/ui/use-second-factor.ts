import { useState } from 'react'

const codeDigits = 6

/** Entered second factor: the six digits of an authenticator app, or a recovery code. */
export function useSecondFactor() {
  const [isRecovery, setRecovery] = useState(false)
  const [text, setText] = useState('')
  const [submitted, setSubmitted] = useState(false)
  const [input, setInput] = useState<HTMLInputElement | null>(null)
  const isWhole = isRecovery ? text.trim() !== '' : text.length === codeDigits
  return {
    setInput,
    isRecovery,
    text,
    isMissing: submitted && !isWhole,
    /** A code may be pasted as "123 456". */
    set: (typed: string) => setText(isRecovery ? typed : typed.replaceAll(/\D/g, '').slice(0, codeDigits)),
    switchKind() {
      setRecovery(!isRecovery)
      setText('')
      setSubmitted(false)
      input?.focus()
    },
    /** Whether the input is complete; if not, the field shows an error. */
    check(): boolean {
      setSubmitted(true)
      if (!isWhole) input?.focus()
      return isWhole
    },
    /** After an error, the next code replaces the wrong one. */
    typeAgain() {
      input?.focus()
      input?.select()
    },
  }
}

export type SecondFactorInput = ReturnType<typeof useSecondFactor>
