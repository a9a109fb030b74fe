import { assessments, type Assessments } from './assessments/resource.js';
import { FlowContent } from './content.js';
import { ElementService } from './elements/service.js';
import type { Host } from './basics.js';
import { Notices } from './notices.js';
import { ProcessService } from './processes/service.js';
import { TemplateContent } from './templates/content.js';
import { templates, type Templates } from './templates/resource.js';
import { VersionHistory } from './versions/history.js';
import { ImpliedRelations } from './versions/implied.js';
import { VersionMoves } from './versions/moves.js';
import { Origins } from './versions/origins.js';
import { VersionPictures } from './versions/pictures.js';
import { VersionService } from './versions/service.js';
import type { ModuleServices, ResourceService } from '@lintel/sdk';

/** The services of the module. */
export interface BpmServices {
  host: Host;
  content: FlowContent;
  versions: VersionService;
  moves: VersionMoves;
  history: VersionHistory;
  pictures: VersionPictures;
  elements: ElementService;
  processes: ProcessService;
  assessments: Assessments;
  templates: Templates;
  templateContent: TemplateContent;
}

/** Creates the services; starts nothing. */
export function bpmServices(host: Host): BpmServices {
  const content = new FlowContent(host);
  // Resources do not read the settings of the module.
  const plain = host as unknown as ModuleServices;
  const ofAssessments = assessments.service(plain);
  const ofTemplates = templates.service(plain);
  const templateContent = new TemplateContent(host, content, ofTemplates);
  const versions = new VersionService(host, content, new Origins(host, content, templateContent));
  const relations = new ImpliedRelations(host);
  const elements = new ElementService(host, versions, relations);
  return {
    host,
    content,
    versions,
    moves: new VersionMoves(host, versions, content, relations, new Notices(host)),
    history: new VersionHistory(host, versions),
    pictures: new VersionPictures(host, versions, content),
    elements,
    processes: new ProcessService(host, versions, elements, ofAssessments as unknown as ResourceService),
    assessments: ofAssessments,
    templates: ofTemplates,
    templateContent,
  };
}
