// Runs in the page, with TOKEN replaced: authorizes, calls an operation, and returns what is shown of the answer.
const found = async (selector, within = document) => {
    for (;;) {
        const element = within.querySelector(selector);
        if (element) return element;
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
};
const fill = (input, value) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(input, value);
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
};
(await found(".auth-wrapper .authorize")).click();
fill(await found(".dialog-ux input"), TOKEN);
(await found(".dialog-ux button.authorize")).click();
(await found(".dialog-ux .btn-done")).click();
const tag = await found("#operations-tag-Accounts");
if (tag.dataset.isOpen !== "true") tag.click();
const operation = await found("#operations-Accounts-GetAccountsListSummary");
(await found(".opblock-summary-control", operation)).click();
fill(await found("tr[data-param-name=PageSize] input", operation), "2");
(await found("button.execute", operation)).click();
const status = await found(".live-responses-table tbody .response-col_status", operation);
const body = await found(".live-responses-table .highlight-code, .live-responses-table .microlight", operation);
const url = await found(".request-url pre", operation);
return [status.innerText, body.innerText, url.innerText];
