/** How the parts of a formatted text look: the server gives plain elements without classes. */
const look = [
  'flex flex-col gap-3 wrap-anywhere',
  '[&_h2]:mt-2 [&_h2]:text-xl [&_h2]:font-bold [&_h3]:mt-2 [&_h3]:text-lg [&_h3]:font-bold',
  '[&_h4]:font-bold [&_h5]:font-bold [&_h6]:font-bold',
  '[&_a]:font-medium [&_a]:text-primary [&_a]:underline [&_a]:underline-offset-4',
  '[&_ul]:list-disc [&_ul]:pl-6 [&_ol]:list-decimal [&_ol]:pl-6 [&_li]:mt-1',
  '[&_blockquote]:border-l-4 [&_blockquote]:border-primary [&_blockquote]:pl-4 [&_blockquote]:text-muted',
  '[&_code]:rounded-box [&_code]:bg-soft [&_code]:px-1.5 [&_code]:font-mono [&_code]:text-sm',
  '[&_pre]:overflow-x-auto [&_pre]:rounded-box [&_pre]:bg-soft [&_pre]:p-3 [&_pre_code]:p-0',
].join(' ')

/** The content of an announcement with its paragraphs, lists, links and emphasis. */
export function AnnouncementText({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered and sanitised by the server, see contentHtml
  return <div className={look} dangerouslySetInnerHTML={{ __html: html }} />
}
