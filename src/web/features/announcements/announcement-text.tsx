/** How the parts of a formatted text look: the server gives plain elements without classes. */
const look = [
  'flex flex-col gap-3 wrap-anywhere',
  '[&_a]:font-medium [&_a]:text-primary [&_a]:underline [&_a]:underline-offset-4',
  '[&_ul]:list-disc [&_ul]:pl-6 [&_ol]:list-decimal [&_ol]:pl-6 [&_li]:mt-1',
].join(' ')

/** The content of an announcement with its paragraphs, lists, links and emphasis. */
export function AnnouncementText({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered and sanitised by the server, see contentHtml
  return <div dir="auto" className={look} dangerouslySetInnerHTML={{ __html: html }} />
}
