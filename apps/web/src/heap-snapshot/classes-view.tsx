import type { ViewProps } from '../profile-views/profile-views.tsx'
import { ClassList } from './class-list.tsx'
import { ObjectView } from './object-view.tsx'
import { ObjectsOfClass } from './objects-of-class.tsx'

/** What a heap snapshot has: its classes, the objects of one of them, or one object with what keeps it. */
export function ClassesView(props: ViewProps) {
  const { object, function: className } = props.search
  if (object !== undefined) return <ObjectView key={object} {...props} objectId={Number(object)} />
  if (className !== undefined) return <ObjectsOfClass {...props} className={className} />
  return <ClassList {...props} />
}
