/**
 * The changelog with the date in the heading of a release, which must be `## VERSION (unreleased)` and say something.
 * @throws {Error}
 */
export function datedChangelog(text: string, version: string, date: string): string {
  const heading = `## ${version} (unreleased)\n`
  const at = text.indexOf(heading)
  if (at < 0) throw new Error(`CHANGELOG.md has no section "${heading.trim()}"`)
  const [section = ''] = text.slice(at + heading.length).split('\n## ')
  if (section.trim() === '') throw new Error(`The section ${version} of CHANGELOG.md is empty`)
  return text.replace(heading, `## ${version} (${date})\n`)
}
