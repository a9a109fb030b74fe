import type { Host } from './basics.js';
import { connections, type Connections } from './connections/resource.js';
import { ConnectionService } from './connections/service.js';
import { PreviewService } from './mappings/preview.js';
import { mappings, type Mappings } from './mappings/resource.js';
import { TemplateService } from './templates/service.js';

export interface CmdbSyncServices {
  host: Host;
  connections: Connections;
  calls: ConnectionService;
  mappings: Mappings;
  previews: PreviewService;
  templates: TemplateService;
}

export function cmdbSyncServices(host: Host): CmdbSyncServices {
  const ofMappings = mappings.service(host);
  return {
    host,
    connections: connections.service(host),
    calls: new ConnectionService(host),
    mappings: ofMappings,
    previews: new PreviewService(host),
    templates: new TemplateService(host, ofMappings),
  };
}
