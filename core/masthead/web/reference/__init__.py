"""The browsable reference at ``/docs``: the OpenAPI document as one page of HTML."""
