import { type RefObject, useEffect } from 'react'

interface Moment {
  submitCount: number
  error: unknown
  /** The field whose conflict was resolved last. */
  settled: { name: string } | undefined
}

/** After each submit, failure and resolved conflict, focuses the first field that needs attention. */
export function useProblemFocus(
  form: RefObject<HTMLFormElement | null>,
  { submitCount, error, settled }: Moment,
): void {
  useEffect(() => {
    const inForm = (selector: string) => form.current?.querySelector<HTMLElement>(selector)
    if (submitCount === 0 && !settled) return
    const wrong = inForm('[aria-invalid=true], [data-conflict] button')
    if (wrong) wrong.focus()
    // The pressed button no longer exists.
    else if (settled) (inForm(`[name="${settled.name}"]`) ?? inForm('[type=submit]'))?.focus()
  }, [form, submitCount, error, settled])
}
