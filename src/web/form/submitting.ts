import type { FormEvent } from 'react'

/** Submits a form that is not a dialog. */
export const submitting = (submit: () => unknown) => (event: FormEvent) => {
  event.preventDefault()
  submit()
}
