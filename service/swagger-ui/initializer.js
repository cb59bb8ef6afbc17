// Shows the description of the service that the page comes from, whatever path it is mounted at.
const service = new URL("..", document.currentScript.src).href;
const description = new URL("openapi.json", service).href;

const adapted = (document) => {
  // The description leaves open where the service runs: it runs where the page comes from.
  document.servers = [{ url: service.replace(/\/$/, "") }];
  // Examples would be filled in, so that "Execute" would filter by all of them.
  const operations = Object.values(document.paths).flatMap(Object.values);
  const own = operations.flatMap((operation) => operation.parameters ?? []);
  for (const parameter of [...own, ...Object.values(document.components.parameters)]) {
    if (!parameter.required && "example" in parameter) {
      parameter.description += `\n\nExample: \`${parameter.example}\``;
      delete parameter.example;
    }
  }
  return document;
};

window.ui = SwaggerUIBundle({
  dom_id: "#swagger-ui",
  url: description,
  responseInterceptor: (response) => {
    if (response.url === description && response.ok) {
      response.text = JSON.stringify(adapted(JSON.parse(response.text)));
    }
    return response;
  },
  // Nothing is sent to anyone but the service, and the page keeps no token.
  validatorUrl: null,
  persistAuthorization: false,
  deepLinking: true,
  docExpansion: "none",
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
});
