import { useEffect, useRef } from 'react'

/** Whether a dialog is still open when its call is answered: Back may have closed it since. */
export function useIsOpen(): () => boolean {
  const isOpen = useRef(false)
  useEffect(() => {
    isOpen.current = true
    return () => void (isOpen.current = false)
  }, [])
  return () => isOpen.current
}
