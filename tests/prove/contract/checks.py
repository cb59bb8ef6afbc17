"""What schemathesis cannot know: which refusals of valid data depend on the records, not on the data."""

import re
import urllib.parse

import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.transport.serialization import contains_binary

# What the service takes of an address; every server has such a bound, and no operation is asked behind it.
ADDRESS_BYTES = 8 << 10

# What a schema has no words for: other records, and members that are compared with each other.
OF_RECORDS = re.compile(
    "there is no such|is not in account|is not what `|is the account itself or stands below it|is no location of|has no location|does not belong"
    "|is not the name of|is missing, and `[a-z]+` needs it|stands in `.*` twice|and the path names|would be too large|`Idempotency-Key`"
    "|in all, at most|is before the start|is longer than the time between|[Tt]he file `.*` is empty"
)

# The record that comes of a patch is judged by the rules of PUT, which no schema of the patch can tell: these name its members,
# while what is wrong with the patch itself is told with the number of the operation.
OF_PATCHED = re.compile("body /[A-Z]")


# Records of the sample. Of the numbers that a schema allows almost none is that of a record, and what refers to none is refused
# before anything else of it is tried.
RECORDS = {
    "AccountId": 101,
    "AccountManagerId": 12,
    "AccountTypeId": 1,
    "AddressTypeId": 1,
    "BusinessTypeId": 3,
    "ClassId": 1,
    "CountryId": 1,
    "CurrencyId": 1,
    "EmailTypeId": 1,
    "LocationId": 55,
    "ParentId": 101,
    "PhoneTypeId": 1,
    "SalesTaxItemId": 2,
    "ServiceTypeId": 2,
}


def refer_to_records(value):
    """Has four of five references lead to a record."""
    if isinstance(value, list):
        return [refer_to_records(item) for item in value]
    if not isinstance(value, dict):
        return value

    def member(name, value):
        if name in RECORDS and isinstance(value, int) and value % 5 != 1:
            return RECORDS[name]
        return refer_to_records(value)

    return {name: member(name, value) for name, value in value.items()}


@schemathesis.hook
def before_call(context, case, kwargs):
    meta = case.meta
    is_record = case.method in ("POST", "PUT") and case.path.startswith("/v2/crm/")
    if is_record and meta is not None and meta.generation.mode.is_positive:
        case.body = refer_to_records(case.body)


def has_whole_float(values):
    """`1.0` is a whole number in JSON only; in an address it is not."""
    return any(isinstance(value, float) and value.is_integer() for value in (values or {}).values())


def is_empty(value):
    """Whether a query value is empty in an address, as an object with an empty name is, too."""
    return all(map(is_empty, value)) if isinstance(value, (list, dict)) else value == ""


@schemathesis.hook
def filter_path_parameters(context, path_parameters):
    return not has_whole_float(path_parameters)


@schemathesis.hook
def filter_query(context, query):
    """Leaves out addresses that are too long, which are refused before there is an operation."""
    return not has_whole_float(query) and len(urllib.parse.urlencode(query or {}, doseq=True)) < ADDRESS_BYTES - 512


@schemathesis.hook
def filter_case(context, case):
    """Leaves out cases that are made to be wrong and are not.

    An empty query value counts as absent. schemathesis compares no value that holds a file with the schema.
    """
    components = case.meta.components if case.meta is not None else {}
    wrong = [location for location, component in components.items() if component.mode.is_negative]
    if wrong == [ParameterLocation.QUERY]:
        return not any(map(is_empty, (case.query or {}).values()))
    if wrong == [ParameterLocation.BODY] and isinstance(case.body, dict):
        return list(case.body) not in (["File"], ["formFile"]) or not contains_binary(case.body)
    return True


@schemathesis.check
def refusals_depend_on_records(ctx, response, case):
    """A 400 or 422 to valid data names nothing but records that are not there, or what a schema has no words for."""
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive or response.status_code not in (400, 416, 422):
        return
    if response.status_code == 416:
        assert case.headers.get("Range"), "a file without `Range` is answered 416"
        return
    body = response.json()
    if "ResponseCode" in body:
        reasons = body["Error"].split("; ")
        reasons = reasons[1:] or reasons
    else:
        reasons = body["Error"]["SubErrors"] or [body["Error"]["Message"]]
    if case.method == "PATCH":
        reasons = [reason for reason in reasons if not OF_PATCHED.match(reason)]
    wrong = [reason for reason in reasons if not OF_RECORDS.search(reason)]
    assert not wrong, f"valid data is refused: {wrong}"
