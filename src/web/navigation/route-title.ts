import type { MessageDescriptor } from '@lingui/core'
import { useMatches } from '@tanstack/react-router'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The page's name in the breadcrumb, the window title and the route announcement. */
    title?: MessageDescriptor
  }
}

export function useRouteTitle(): MessageDescriptor | undefined {
  return useMatches({ select: (matches) => matches.findLast(({ staticData }) => staticData.title)?.staticData.title })
}
