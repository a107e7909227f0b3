// For tests: what goes to a cluster, against the schemas of Kubernetes, KEDA and Sealed Secrets.
import { ScaledJob, ScaledObject, TriggerAuthentication } from '@kubernetes-models/keda/keda.sh/v1alpha1'
import { SealedSecret } from '@kubernetes-models/sealed-secrets/bitnami.com/v1alpha1'
import * as apps from 'kubernetes-models/apps/v1'
import * as autoscaling from 'kubernetes-models/autoscaling/v2'
import * as batch from 'kubernetes-models/batch/v1'
import * as networking from 'kubernetes-models/networking.k8s.io/v1'
import * as policy from 'kubernetes-models/policy/v1'
import * as core from 'kubernetes-models/v1'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'

interface Model {
  validate(): void
}
const models: Record<string, new (data: never) => Model> = {
  ConfigMap: core.ConfigMap,
  CronJob: batch.CronJob,
  Deployment: apps.Deployment,
  HorizontalPodAutoscaler: autoscaling.HorizontalPodAutoscaler,
  Ingress: networking.Ingress,
  Job: batch.Job,
  NetworkPolicy: networking.NetworkPolicy,
  PersistentVolumeClaim: core.PersistentVolumeClaim,
  PodDisruptionBudget: policy.PodDisruptionBudget,
  ScaledJob,
  ScaledObject,
  SealedSecret,
  Secret: core.Secret,
  Service: core.Service,
  ServiceAccount: core.ServiceAccount,
  StatefulSet: apps.StatefulSet,
  TriggerAuthentication,
}

const document = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
})
export type Document = z.output<typeof document>

export const documentsIn = (text: string): Document[] =>
  parseAllDocuments(text).map((each) => document.parse(each.toJS()))

/** What its schema says of it; a field that is in no schema is a fault, too. */
export function faultOf(each: Document): string | undefined {
  const model = models[each.kind]
  if (model === undefined) return 'no schema'
  try {
    Reflect.construct(model, [each]).validate()
    return undefined
  } catch (error) {
    return String(error)
  }
}
