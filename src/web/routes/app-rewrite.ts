import type { LocationRewrite } from '@tanstack/react-router'
import { selectedAppStore } from '../api/app-selection.ts'
import { isAppPage, withoutApp } from '../navigation/app-address.ts'

/** Between addresses and the paths of routes. Only the page of a route selects the app of its address (guards.ts). */
export const appRewrite: LocationRewrite = {
  input: ({ url }) => {
    url.pathname = withoutApp(url.pathname)
    return url
  },
  output: ({ url }) => {
    const app = selectedAppStore.get()
    if (app && isAppPage(url.pathname)) url.pathname = `/a/${app.appId}${url.pathname}`
    return url
  },
}
