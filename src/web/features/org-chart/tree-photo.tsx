import { Picture } from '#web/components/picture.tsx'
import { initialsOf, type TreeNode } from './tree-node.ts'

/** A node's photo in a disc, or its initials. */
export function TreePhoto({ node }: { node: Pick<TreeNode, 'name' | 'image'> }) {
  return (
    <span
      aria-hidden="true"
      className="grid size-11 shrink-0 place-items-center rounded-full bg-primary-soft text-sm font-bold text-primary chart:size-14 chart:text-base in-[.org-framed]:chart:size-11 in-[.org-framed]:chart:text-sm"
    >
      {node.image ? (
        <Picture
          picture={node.image}
          alt=""
          sizes="56px"
          className="aspect-square w-full rounded-full object-cover"
        />
      ) : (
        initialsOf(node.name)
      )}
    </span>
  )
}
