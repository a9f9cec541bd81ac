import type { ComponentProps } from 'react'
import { SelectField } from './field.tsx'
import { SearchBox } from './search-box.tsx'

interface ListOf<Name extends string, Value = string | null> {
  values: Readonly<Record<Name, Value>>
  choose: (name: Name, text: string, options?: { replace?: boolean }) => void
}

type SearchFilterProps = Omit<ComponentProps<typeof SearchBox>, 'value' | 'onSearch'> & {
  list: ListOf<'search', string>
}

export function SearchFilter({ list, className, ...box }: SearchFilterProps) {
  return (
    <SearchBox
      {...box}
      className={className ?? 'min-w-[min(16rem,100%)] flex-[2_1_16rem] max-md:basis-full'}
      value={list.values.search}
      onSearch={(text) => list.choose('search', text, { replace: true })}
    />
  )
}

interface SelectFilterProps<Name extends string>
  extends Pick<ComponentProps<typeof SelectField>, 'label' | 'isLabelHidden' | 'className' | 'options'> {
  list: ListOf<NoInfer<Name>>
  name: Name
}

/** A filter without a value shows the option that has none either. */
export function SelectFilter<Name extends string>({
  list,
  name,
  className,
  ...select
}: SelectFilterProps<Name>) {
  return (
    <SelectField
      {...select}
      id={`${name}-filter`}
      name={name}
      density="compact"
      className={className ?? 'min-w-[min(9rem,100%)] flex-1'}
      value={list.values[name] ?? ''}
      onChange={({ target }) => list.choose(name, target.value)}
    />
  )
}
