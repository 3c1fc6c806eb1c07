import { useCallback, useRef, useState } from 'react'

/** Values of a form, and how often it was submitted. A handler that sets a value and then submits sends that value. */
export function useFormValues<V extends object>(start: () => V) {
  const [values, setValues] = useState(start)
  const [submitCount, setSubmitCount] = useState(0)
  const latest = useRef(values)
  const replace = useCallback((all: V) => {
    latest.current = all
    setValues(all)
  }, [])
  return {
    values,
    submitCount,
    set: <N extends keyof V>(name: N, value: V[N]) => replace({ ...latest.current, [name]: value }),
    /** Counts the attempt and returns the latest values, which may not be rendered yet. */
    startSubmit: (): V => {
      setSubmitCount((count) => count + 1)
      return latest.current
    },
    /** As if the form had never been submitted, with these values or the current ones. */
    restart: (all?: V) => {
      setSubmitCount(0)
      if (all) replace(all)
    },
  }
}
