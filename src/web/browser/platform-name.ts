/** What administrators call this installation; the server has written it into the page's title (part 2 §3). */
export const platformName = document.title || 'Signet'
